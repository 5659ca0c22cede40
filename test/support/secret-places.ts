export const SECRET_NAMES: readonly string[] = [
  ..."password Password PASSWORD pAsSwOrD MessagePassword userPassword new_password password2 passwd Pwd db_pwd userpwd PW".split(" "),
  ..."pass user_pass passphrase secret ClientSecret client-secret token Token accessToken access_token accesstoken x-auth-token".split(" "),
  ..."BinarySecurityToken apikey apiKey ApiKey APIKey api-key API_KEY x-api-key privateKey access-key secretKey x-key X_KEY".split(" "),
  ..."pin PIN Pin card_pin otp OTP userOtp jwt Jwt id_jwt nonce Nonce wsse:Nonce cookie session sessionId PHPSESSID sid".split(" "),
  ..."authorization Authorization proxy-authorization auth oauth credential Credentials signature csrf _csrf xsrf".split(" "),
];

export const PLAIN_NAMES: readonly string[] = [
  ..."EchoToken RatePlanCode HotelCode InvTypeCode InvCode CurrencyCode KeyWords RateKey BookingKey Username UsernameToken".split(" "),
  ..."TokenType PasswordPolicy SessionType Passenger Compassion Author Shipping Opinion Spinach Topic Inside Side PlanAuthor".split(" "),
];

/** Names that are secret in queries and forms, but not in XML and JSON. */
export const FIELD_NAMES: readonly string[] = ["code", "key", "Code", "KEY"];

/** Text around a secret. `before` ends with the secret's name. */
export type Place = { what: string; before(name: string): string; secret: string; after: string };

const part = "--b\r\nContent-Disposition: form-data; name=";

export const DATA_PLACES: readonly Place[] = [
  { what: "an attribute", before: (name) => `<a x="1" ${name}="`, secret: "geheim", after: '" y="2"/>' },
  { what: "an attribute in single quotes", before: (name) => `<a ${name} = '`, secret: 'ge"heim', after: `' y="2"/>` },
  { what: "an element", before: (name) => `<a><${name} Type="x">`, secret: "geheim", after: "{end}<b/></a>" },
  { what: "an element with a CDATA section", before: (name) => `<a><${name}>`, secret: "<![CDATA[</x>geheim]]>", after: "{end}<b/></a>" },
  { what: "a JSON field", before: (name) => `{"a": 1, "${name}": "`, secret: String.raw`ge\"heim`, after: '", "b": 2}' },
  { what: "a number in JSON", before: (name) => `{"${name}":`, secret: "4711", after: ',"b":2}' },
  { what: "a JSON list", before: (name) => `{"${name}": `, secret: '["geheim", {"c": "]"}]', after: ', "b": 2}' },
  { what: "JSON within JSON", before: (name) => String.raw`{"a":"{\"${name}\":\"`, secret: "geheim", after: String.raw`\",\"b\":2}"}` },
  {
    what: "an attribute in an encoded form",
    before: (name) => `a=1&request=%3Ca+${name}%3D%22`,
    secret: "ge%26heim",
    after: "%22+y%3D%222%22%2F%3E",
  },
  { what: "an element in an encoded form", before: (name) => `request=%3C${name}%3e`, secret: "geheim", after: "{encoded end}%3Cb%2F%3E" },
];

export const FIELD_PLACES: readonly Place[] = [
  { what: "a form field", before: (name) => `a=1&${name}=`, secret: "ge%22heim", after: "&b=2" },
  { what: "the first field of a form", before: (name) => `${name}=`, secret: "geheim", after: "&b=2" },
  { what: "one part of a form", before: (name) => `${part}"${name}"\r\n\r\n`, secret: "ge\r\nheim", after: "\r\n--b--\r\n" },
  {
    what: "one part of a form without quotes",
    before: (name) => `${part}${name}\r\nX: y\r\n\r\n`,
    secret: "geheim",
    after: "\r\n--b--\r\n",
  },
  { what: "a URL parameter", before: (name) => `GET https://host.example/x?${name}=`, secret: "geheim", after: "&b=2 failed" },
  { what: "a URL parameter in XML", before: (name) => `<a href="/x?a=1&amp;${name}=`, secret: "geheim", after: '&amp;b=2"/>' },
  { what: "an encoded URL parameter", before: (name) => `/go?to=%2Fx%3Fa%3D1%26${name}%3D`, secret: "geheim", after: "%26b=2" },
];

export function textAt({ before, after }: Place, name: string, secret: string): string {
  return before(name) + secret + after.replace("{end}", `</${name}>`).replace("{encoded end}", `%3C%2F${name}%3E`);
}
