import{c as e,d as s}from"./chunk-744Z5L57.js";var o=250;function c(t){let[r,u]=e(t);return s(()=>{let n=setTimeout(()=>u(t),o);return()=>clearTimeout(n)},[t]),r}export{c as a};
