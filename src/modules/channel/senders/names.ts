/** Names must not contain colons, because the user name in Basic credentials ends at the first colon (RFC 7617). */
const NAME_PATTERN = /^[^\p{Cc}:-][^\p{Cc}:]{0,99}$/u;

export const SENDER_NAME_FORMAT = "up to 100 characters, must not contain a colon and must not start with a dash";

export function isSenderName(text: string): boolean {
  return NAME_PATTERN.test(text) && text.trim() === text;
}
