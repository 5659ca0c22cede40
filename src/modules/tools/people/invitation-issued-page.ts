import { html } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { path } from "../../../web/path.ts";

export function invitationIssuedPage(name: string, link: string): Page {
  return {
    title: "Invitation link",
    main: html`<p class="notice good" role="status">Send this link to ${isolateDirections(name)}. It is shown only once.</p>
      <p><label for="link">Invitation link</label></p>
      <p class="actions">
        <input id="link" type="text" class="long" readonly value="${link}" />
        <button type="button" data-copy="link">Copy link</button>
      </p>
      <ul>
        <li>It works once and expires after 7 days.</li>
        <li>With it, ${isolateDirections(name)} chooses a password and is signed in. An earlier password works until then.</li>
        <li>Anyone who has the link can use it, so send it privately.</li>
      </ul>
      <p class="actions">
        <a class="button" href="${path`/tools/users/${name}`}">Show user</a> <a class="button" href="${path`/tools/users`}">All users</a>
      </p>`,
  };
}
