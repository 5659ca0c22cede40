import type { FastifyInstance, FastifyReply } from "fastify";
import { addAnyRoute } from "../../../web/any-route.ts";
import { toText } from "../../../web/html.ts";
import { NotFoundException } from "../../../web/http-error.ts";
import { sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { sendPage } from "../../../web/page.ts";
import { openApiDocument } from "../api/document.ts";
import { OPERATIONS } from "../api/operations.ts";
import { apiPage } from "../api/page.ts";
import { DOCUMENT_DESCRIPTIONS, loadDocuments, isDocumentName, sectionPath } from "./documents.ts";
import { contentsPage, sectionPage } from "./page.ts";

export function registerDocs(app: FastifyInstance): void {
  addAnyRoute(app, { url: "/dev/docs", about: "documentation", tokens: { read: "read", property: "handler" } }, async (request, reply) => {
    const documentList = [...(await loadDocuments())].map(([name, document]) => ({ name, about: DOCUMENT_DESCRIPTIONS[name], document }));
    if (!wantsJson(request)) return sendPage(reply, contentsPage(documentList));
    return sendJson(reply, {
      documents: documentList.map(({ name, about, document: { title, sections } }) => ({
        ...{ name, title, about },
        sections: sections.map((section) => ({ title: section.title, path: sectionPath(name, section.anchor).text })),
      })),
    });
  });
  addAnyRoute(app, { url: "/dev/docs/api", about: "the API", tokens: { read: "read", property: "handler" } }, (request, reply) =>
    wantsJson(request) ? sendApi(reply) : sendPage(reply, apiPage(OPERATIONS)),
  );
  addAnyRoute(
    app,
    { url: "/dev/docs/openapi.json", about: "the API as OpenAPI", tokens: { read: "read", property: "handler" } },
    (_, reply) => sendApi(reply),
  );
  for (const url of ["/dev/docs/:document", "/dev/docs/:document/:section"])
    addAnyRoute(app, { url, about: "one section of a document", tokens: { read: "read", property: "handler" } }, async (request, reply) => {
      const { document: name = "", section: anchor = "" } = request.params as Record<string, string>;
      const document = isDocumentName(name) ? (await loadDocuments()).get(name) : undefined;
      const section = document?.sections.find((one) => one.anchor === anchor);
      if (!document || !section) throw new NotFoundException(`Documentation '${[name, anchor].filter(Boolean).join("/")}' not found`);
      if (wantsJson(request))
        return sendJson(reply, {
          title: section.title,
          html: toText(section.body, { prefix: request.shell.prefix, now: request.shell.now() }),
        });
      return sendPage(reply, sectionPage({ name, document, section }));
    });
}

function sendApi(reply: FastifyReply): FastifyReply {
  return sendJson(reply, openApiDocument(reply.request.shell.prefix));
}
