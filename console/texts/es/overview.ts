import type { EN_OVERVIEW } from "../en/overview.ts";

export const ES_OVERVIEW: typeof EN_OVERVIEW = {
  title: "Resumen",
  first: "Primeros pasos",
  progress: (done, total) => `${done} de ${total} completados`,
  next: (step) => `Siguiente: ${step}`,
  begin: "Empezar",
  isDone: "Completado",
  steps: {
    email: {
      title: "Configurar un servidor de correo",
      reason: "Defina SMTP_URL para que se envíen las invitaciones y los enlaces para restablecer contraseñas.",
    },
    owner: {
      title: "Añadir un segundo propietario",
      reason: "Una persona puede estar ausente o perder la contraseña.",
    },
    users: { title: "Añadir usuarios", reason: "Añádalos uno a uno o impórtelos de otro sistema." },
    app: { title: "Añadir una aplicación", reason: "Las personas inician sesión en ella con Signet." },
    provider: {
      title: "Conectar un proveedor",
      reason: "Las personas inician sesión con cuentas que ya tienen, por ejemplo de Google.",
    },
  },
  activity: "Últimas 24 horas",
  byHour: (title) => `${title} por hora`,
  latestOnly: (count) => `El gráfico muestra los últimos ${count}.`,
  waiting: "Mensajes en espera",
  noFailed: "Ninguno ha fallado",
  failed: (count) => `Fallidos: ${count}`,
};
