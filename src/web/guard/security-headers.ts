import type { FastifyInstance } from "fastify";

const DISABLED_FEATURES = [
  ...["accelerometer", "camera", "clipboard-read", "display-capture", "fullscreen", "geolocation", "gyroscope", "hid", "idle-detection"],
  ...["local-fonts", "magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial"],
  ...["storage-access", "usb", "window-management", "xr-spatial-tracking"],
];

export function addSecurityHeaders(app: FastifyInstance, options: { https: boolean; prefix: string }): void {
  const headers = securityHeaders(options);
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/**
 * Returns the security headers. `report-to` requires HTTPS. It is omitted over plain HTTP, because Chromium would then ignore `report-uri`
 * and send no reports.
 */
function securityHeaders({ https, prefix }: { https: boolean; prefix: string }): Record<string, string> {
  const intake = `${prefix}/_errors/csp`;
  return {
    "content-security-policy": contentSecurityPolicy(intake, https),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": DISABLED_FEATURES.map((feature) => `${feature}=()`).join(", "),
    ...(https ? { "reporting-endpoints": `csp="${intake}"`, "strict-transport-security": "max-age=31536000" } : {}),
  };
}

function contentSecurityPolicy(intake: string, https: boolean): string {
  const directives = [
    "default-src 'none'",
    "script-src 'self' 'report-sample'",
    "style-src 'self' 'report-sample'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${intake}`,
  ];
  return [...directives, ...(https ? ["report-to csp"] : [])].join("; ");
}
