import { screenOf } from '@aisle/contract/screens'
import { useLocation, useRouter } from '@tanstack/react-router'

/**
 * Machine and test stand in the address, so that a test can be shown to somebody else while it runs; and which repair
 * order it is for, with the slot that it asks about.
 */
export function useTestAddress() {
  const { history } = useRouter()
  const search = new URLSearchParams(useLocation().searchStr)
  const idOf = (name: string): number | null => {
    const id = Number(search.get(name))
    return Number.isSafeInteger(id) && id > 0 ? id : null
  }
  const choose = (changes: { machine?: number | null; test?: number | null }) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) search.delete(name)
      else search.set(name, String(value))
    }
    history.push(`${screenOf('shj/jqcs').path}?${search.toString()}`)
  }
  return {
    machineId: idOf('machine'),
    testId: idOf('test'),
    orderId: idOf('order'),
    slot: search.get('slot') ?? '',
    choose,
  }
}
