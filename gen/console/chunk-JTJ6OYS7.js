import{b as r}from"./chunk-ICS2YQ6S.js";var n=1e4;function m(t){return t>=n?`${r(n)}+`:r(t)}export{m as a};
