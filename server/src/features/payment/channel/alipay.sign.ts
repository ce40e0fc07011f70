import { isSignedBy, signed } from './rsa'

/** RSA2 (opendocs.alipay.com, common/02kf5q): parameters sorted by name and joined; empty ones do not count. */
export const joined = (fields: Readonly<Record<string, string>>): string =>
  Object.keys(fields)
    .filter((name) => fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')

export const withSign = (fields: Readonly<Record<string, string>>, privateKey: string): Record<string, string> => ({
  ...fields,
  sign: signed(privateKey, joined(fields)),
})

/** Notifications are signed over everything but `sign` and `sign_type`. */
export function isNotificationSigned(fields: Readonly<Record<string, string>>, publicKey: string): boolean {
  const { sign = '', sign_type: _, ...rest } = fields
  return sign !== '' && isSignedBy(publicKey, joined(rest), sign)
}

/**
 * An answer is signed over the text of its one member, as it stands in the body: reading and writing it again would
 * change it. @returns the member's text, null when the signature does not hold
 */
export function provenMember(body: string, method: string, publicKey: string): string | null {
  const names = [`${method.replaceAll('.', '_')}_response`, 'error_response']
  const name = names.find((each) => body.includes(`"${each}"`))
  if (name === undefined) return null
  const from = body.indexOf('{', body.indexOf(`"${name}"`))
  const text = objectAt(body, from)
  const sign = /"sign"\s*:\s*"([A-Za-z0-9+/=\\]+)"/.exec(body.slice(0, from) + body.slice(from + text.length))?.[1]
  return sign && isSignedBy(publicKey, text, sign.replaceAll('\\/', '/')) ? text : null
}

/** The object that begins here, to its own closing brace. */
function objectAt(body: string, from: number): string {
  let depth = 0
  let isText = false
  for (let at = from; at >= 0 && at < body.length; at += 1) {
    const letter = body[at]
    if (isText && letter === '\\') at += 1
    else if (letter === '"') isText = !isText
    else if (!isText && letter === '{') depth += 1
    else if (!isText && letter === '}') {
      depth -= 1
      if (depth === 0) return body.slice(from, at + 1)
    }
  }
  return ''
}
