import assert from "node:assert/strict";
import { HtmlValidate } from "html-validate";

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: { "prefer-native-element": "off" },
});

export async function assertValidHtml(body: string): Promise<void> {
  const { results } = await validator.validateString(body);
  assert.deepEqual(
    results.flatMap(({ messages }) => messages.map(({ message, line }) => `${line}: ${message}`)),
    [],
  );
}
