import { addOrder } from '../../testing/builders'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    orders: 'machine',
  },
  rows: {
    orders: async (db, { machines, at }) => {
      const made = []
      for (const machine of machines) made.push(await addOrder(db, machine, at))
      return made[0]?.id ?? 0
    },
  },
}
