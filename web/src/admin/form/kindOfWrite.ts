import type { Endpoint } from '@aisle/contract/kernel/endpoint'

const begins = { add: /^(add|create|copy)/, edit: /^(edit|save|set|change)/, remove: /^(remove|delete)/ }

/** What a call does to a row, by the verb that its name begins with. */
export function kindOfWrite({ name }: Endpoint): keyof typeof begins | 'verb' {
  const verb = name.slice(name.indexOf('.') + 1)
  const known = Object.entries(begins).find(([, pattern]) => pattern.test(verb))
  return (known?.[0] as keyof typeof begins | undefined) ?? 'verb'
}

/** Specification §8: what is said when a grave thing was not done after all. */
export const cancelledWord = (endpoint: Endpoint) =>
  kindOfWrite(endpoint) === 'remove' ? 'cancelled.remove' : 'cancelled.verb'
