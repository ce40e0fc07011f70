import type { Endpoint } from '@aisle/contract/kernel/endpoint'

const deeds = { add: /^(add|create|copy)/, edit: /^(edit|save|set|change)/, remove: /^(remove|delete)/ }

/** What a call does to a row, by the verb that its name begins with. */
export function deedOf({ name }: Endpoint): keyof typeof deeds | 'verb' {
  const verb = name.slice(name.indexOf('.') + 1)
  const known = Object.entries(deeds).find(([, begins]) => begins.test(verb))
  return (known?.[0] as keyof typeof deeds | undefined) ?? 'verb'
}
