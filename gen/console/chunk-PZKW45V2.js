function r(n){let e=Number(n.get("page"));return Number.isSafeInteger(e)&&e>0?e:1}function u(n,e){return e!==null&&Object.hasOwn(n,e)?e:void 0}export{r as a,u as b};
