import{b as r}from"./chunk-AY75SRJG.js";var n=1e4;function m(t){return t>=n?`${r(n)}+`:r(t)}export{m as a};
