import type { AccountTemplate } from '@aisle/contract/fleet/officialAccount'

/** Before what a customer is told, in the type of a message. */
export const CUSTOMER = 'customer.'

type Standing = { paymentState: string; shipState: string }

/** What the customer of a paid order is told as it stands, in the order in which it came about. */
export function dueOf({ paymentState, shipState }: Standing): AccountTemplate[] {
  const isRefunded = paymentState === 'refunded' || paymentState === 'partly_refunded'
  const isPaid = isRefunded || paymentState === 'paid' || paymentState === 'refunding'
  if (!isPaid) return []
  return [
    'paid',
    ...(shipState === 'completed' ? ['shipped' as const] : []),
    ...(isRefunded ? ['refunded' as const] : []),
  ]
}

/** What a template may say, as texts. */
export type CustomerFacts = {
  title: string
  orderNo: string
  product: string
  machine: string
  amount: string
  time: string
}
export const customerFacts = ['title', 'orderNo', 'product', 'machine', 'amount', 'time'] as const

/**
 * The fields of WeChat's templates by their kind: the name of a field is its kind and a number. The second of a kind
 * says the second fact. `keyword` is of the older templates, whose fields have no kind but an order.
 */
const kinds: Readonly<Record<string, readonly (readonly [keyof CustomerFacts, most: number])[]>> = {
  character_string: [['orderNo', 32]],
  thing: [
    ['product', 20],
    ['machine', 20],
  ],
  short_thing: [['title', 5]],
  phrase: [['title', 5]],
  amount: [['amount', 20]],
  time: [['time', 32]],
  date: [['time', 32]],
  first: [['title', 100]],
  remark: [['machine', 100]],
  keyword: [
    ['orderNo', 64],
    ['product', 64],
    ['amount', 64],
    ['time', 64],
  ],
}

export type Filled = { data: Record<string, { value: string }> } | { unknown: string }

/**
 * @param content of the template as WeChat tells it, with its fields as `{{thing1.DATA}}`
 * @returns the field that nothing of ours fits, where there is one: WeChat sends only what is filled as a whole
 */
export function fillTemplate(content: string, facts: CustomerFacts): Filled {
  const names = [...new Set([...content.matchAll(/\{\{(\w+)\.DATA\}\}/g)].map(([, name = '']) => name))]
  const data: Record<string, { value: string }> = {}
  const used = new Map<string, number>()
  for (const name of names) {
    const kind = name.replace(/\d+$/, '')
    const place = used.get(kind) ?? 0
    const [fact, most] = kinds[kind]?.[place] ?? []
    if (!fact || !most) return { unknown: name }
    used.set(kind, place + 1)
    data[name] = { value: cut(facts[fact], most) }
  }
  return { data }
}

const cut = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`
}
