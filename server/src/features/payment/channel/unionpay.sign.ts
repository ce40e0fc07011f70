import { isSignedBy, sha256, signed } from './rsa'

/** signMethod 01 of version 5.1.0: RSA-SHA256 over the hex SHA-256 of the sorted fields (open.unionpay.com). */
const digest = (fields: Readonly<Record<string, string>>): string => {
  const names = Object.keys(fields).filter((name) => name !== 'signature' && fields[name] !== '')
  return sha256(
    names
      .sort()
      .map((name) => `${name}=${fields[name]}`)
      .join('&'),
  )
}

export const withSignature = (
  fields: Readonly<Record<string, string>>,
  privateKey: string,
): Record<string, string> => ({ ...fields, signature: signed(privateKey, digest(fields)) })

/**
 * UnionPay sends its certificate along (`signPubKeyCert`), which proves nothing by itself: the one that counts is the
 * one that was put in here.
 */
export const isSigned = (fields: Readonly<Record<string, string>>, publicKey: string): boolean =>
  isSignedBy(publicKey, digest(fields), fields.signature ?? '')

/** `a=1&b={x=1&y=2}`: as it stands, for answers are not URL-encoded; what is in braces belongs together. */
export function fieldsIn(text: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/(?:^|&)([A-Za-z0-9_]+)=(\{[^}]*\}|[^&]*)/g)) {
    fields[name] = value
  }
  return fields
}
