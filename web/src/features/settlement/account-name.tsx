import { useText } from '../../ui/text'

/** @param name kind, and behind a colon the channel, machine or card that the account is kept for */
export function AccountName({ name }: { name: string }) {
  const t = useText('settlement')
  const trade = useText('trade')
  const [kind = '', key] = name.split(':')
  const word = t.any(`accountKind.${kind}`)
  if (!key) return word
  const [method, itself] = [`method.${key}`, `accountKind.${key}`]
  if (trade.has(method)) return `${word} · ${trade.any(method)}`
  return `${word} · ${t.has(itself) ? t.any(itself) : key}`
}
