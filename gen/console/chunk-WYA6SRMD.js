import{B as o,J as a}from"./chunk-TMEAUSVL.js";function c({isActive:t}){let{active:e,inactive:s}=a.value.orgs;return o("span",{class:t?"state good":"state",children:t?e:s})}export{c as a};
