import { accountKeys } from '@aisle/contract/settlement/books'
import { useText } from '../../ui/text'

/** @param name kind, and behind a colon the channel, machine or card that the account is kept for */
export function AccountName({ name }: { name: string }) {
  const t = useText('settlement')
  const [kind = '', key] = name.split(':')
  const word = t.any(`accountKind.${kind}`)
  if (!key) return word
  const known = accountKeys.find((each) => each === key)
  return `${word} · ${known ? t(`accountKey.${known}`) : key}`
}
