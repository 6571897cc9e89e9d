{{/* What the pods and the Job have in common. */}}
{{- define "signet.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{- define "signet.labels" -}}
{ app.kubernetes.io/name: signet, app.kubernetes.io/component: {{ . }} }
{{- end -}}

{{- define "signet.pod" -}}
serviceAccountName: signet
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: secrets
    secret: { secretName: {{ .Values.secretName }}, defaultMode: 0440 }
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
{{- end -}}

{{- define "signet.container" -}}
image: {{ include "signet.image" . }}
envFrom:
  - configMapRef: { name: signet }
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/signet, readOnly: true }
  - { name: tmp, mountPath: /tmp }
{{- end -}}
