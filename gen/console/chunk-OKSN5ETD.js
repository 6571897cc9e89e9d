import{b as r}from"./chunk-2U32FWD7.js";var n=1e4;function m(t){return t>=n?`${r(n)}+`:r(t)}export{m as a};
