import{B as t,k as n}from"./chunk-TMEAUSVL.js";function l({title:o,children:i}){let e=n();return t("section",{class:"part","aria-labelledby":e,children:[t("h2",{id:e,children:o}),i]})}export{l as a};
