import type { FastifyRequest } from "fastify";
import { scrubFields, scrubText } from "../../../errors/describe/redact.ts";
import type { Json } from "../../../errors/entry.ts";
import { isSecretName } from "../../../secrets/names.ts";
import type { Role } from "../../../web/guard/user.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { asCurl } from "../../../web/shell-command.ts";
import { type NamedFact, factTable } from "../parts.ts";
import { type ReceivedRequest, explainAddress, proxyWarnings } from "../proxy.ts";
import type { Tool, ToolDeps } from "../tool.ts";
import { MASKED_TEXT } from "./env.ts";

/** Secret headers are masked. For cookies, only names are shown. */
type RequestView = {
  method: string;
  target: string;
  _uri: string;
  httpVersion: string;
  scheme: string;
  host: string;
  client: { ip: string; from: string; peer: string; chain: readonly string[] };
  query: Readonly<Record<string, unknown>>;
  body: Json;
  headers: Readonly<Record<string, string>>;
  cookies: readonly string[];
  session: boolean;
  actor: string;
  role: Role | undefined;
  requestId: string;
  warnings: readonly string[];
  curl: string;
};

export const requestTool: Tool<RequestView> = {
  slug: "request",
  title: "Request",
  about: "This request as the service received it, after all proxies.",
  status: ({ config }) =>
    config.values.TRUST_PROXY.length === 0 ? "no trusted proxies" : `trusts ${config.values.TRUST_PROXY.join(", ")}`,
  view: ({ request, services }) => describeRequest(request, services),
  page: (view) => ({ main: html`${warningList(view)} ${requestTables(view)}`, copy: { label: "cURL", text: view.curl } }),
};

function describeRequest(request: FastifyRequest, { config }: ToolDeps): RequestView {
  const headers = maskedHeaders(request);
  const arrival: ReceivedRequest = {
    peer: request.raw.socket.remoteAddress ?? "",
    ip: request.ip ?? "",
    chain: request.ips ?? [],
    scheme: request.protocol,
    host: request.host,
    headers: plainHeaders(request),
  };
  const target = scrubText(request.originalUrl);
  const body = scrubFields(request.body);
  return {
    method: request.method,
    target,
    _uri: request.url.split("?", 1)[0]!,
    httpVersion: request.raw.httpVersion,
    scheme: arrival.scheme,
    host: arrival.host,
    client: { ip: arrival.ip, from: explainAddress(arrival, config), peer: arrival.peer, chain: arrival.chain },
    query: scrubFields(request.query) as Record<string, unknown>,
    body,
    headers,
    cookies: Object.keys(request.cookies),
    session: request.session !== undefined,
    actor: request.actor,
    role: request.role,
    requestId: request.id,
    warnings: proxyWarnings(arrival, config),
    curl: asCurl({
      method: request.method,
      url: `${arrival.scheme}://${arrival.host}${target}`,
      headers,
      data: bodyForCurl(body, headers["content-type"]),
    }),
  };
}

function bodyForCurl(body: Json, type = ""): string | undefined {
  if (body === null || typeof body === "string") return body ?? undefined;
  if (type.startsWith("application/json")) return JSON.stringify(body);
  if (!type.startsWith("application/x-www-form-urlencoded")) return undefined;
  return new URLSearchParams(Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))).toString();
}

function plainHeaders(request: FastifyRequest): Record<string, string> {
  const entries = Object.entries(request.raw.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function maskedHeaders(request: FastifyRequest): Record<string, string> {
  const entries = Object.entries(plainHeaders(request));
  return Object.fromEntries(entries.map(([name, value]) => [name, isSecretName(name) ? MASKED_TEXT : scrubText(value)]));
}

function warningList(view: RequestView): Html {
  if (view.warnings.length === 0) return emptyHtml;
  return html`<div class="notice warn">${mapHtml(view.warnings, (warning) => html`<p>${warning}</p>`)}</div>`;
}

function requestTables(view: RequestView): Html {
  const mark = view.warnings.length === 0 ? "ok" : "warn";
  const line: NamedFact[] = [
    { name: "Method", value: view.method },
    { name: "Request target", value: view.target },
    { name: "Path (_uri)", value: view._uri },
    { name: "Protocol", value: `HTTP/${view.httpVersion}` },
    { name: "Scheme", value: view.scheme },
    { name: "Host", value: view.host },
    { name: "Request ID", value: view.requestId },
  ];
  const client: NamedFact[] = [
    { name: "Address", value: view.client.ip, mark },
    { name: "Source", value: view.client.from },
    { name: "Connection peer", value: view.client.peer },
    { name: "Proxy chain", value: view.client.chain.join(" ← ") || "none" },
    { name: "User", value: `${view.actor} (${view.role ?? "no role"})` },
    { name: "Session", value: view.session ? "yes" : "none" },
    { name: "Cookies", value: view.cookies.join(", ") || "none" },
  ];
  const headers = Object.entries(view.headers).map(([name, value]) => ({ name, value }));
  return html`<div class="fact-groups">
    ${factTable({ title: "Request line", facts: line })} ${factTable({ title: "Client", facts: client })}
    ${parameterTable("Query", view.query)} ${view.body === null ? emptyHtml : parameterTable("Body", view.body)}
    ${factTable({ title: "Headers", facts: headers })}
  </div>`;
}

function parameterTable(title: string, sent: unknown): Html {
  const facts =
    typeof sent === "object" && sent !== null ? Object.entries(sent).map(([name, value]) => ({ name, value: valueText(value) })) : [];
  if (facts.length > 0) return factTable({ title, facts });
  return html`<section>
    <h2>${title}</h2>
    ${typeof sent === "string" ? html`<pre tabindex="0">${sent}</pre>` : html`<p>No parameters.</p>`}
  </section>`;
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
