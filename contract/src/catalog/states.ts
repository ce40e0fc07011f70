import { stateTable } from '../kernel/states'

/** What is offline is planned and sold nowhere; it is listed again as it was (specification, section 4). */
export const productState = stateTable({
  initial: 'online',
  states: ['online', 'offline'],
  moves: { takeOffline: { from: ['online'], to: 'offline' }, relist: { from: ['offline'], to: 'online' } },
})
export const productTones = { online: 'good', offline: 'idle' } as const
