function a(r){let e=Number(r.get("page"));return Number.isSafeInteger(e)&&e>0?e:1}export{a};
