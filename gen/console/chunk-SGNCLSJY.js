import{W as o,Y as r,m as i,ra as e}from"./chunk-BIVG2UTG.js";function f(s){let{api:t}=i();return e(`permissions ${s}`,async m=>r((await t.auth.listMyPermissions({},o(s,m))).result))}export{f as a};
