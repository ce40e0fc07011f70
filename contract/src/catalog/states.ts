import { stateNames, stateTable } from '../kernel/states'

/** What is offline is planned and sold nowhere; it is listed again as it was (specification, section 4). */
export const productState = stateTable({
  initial: 'online',
  states: ['online', 'offline'],
  moves: { takeOffline: { from: ['online'], to: 'offline' }, relist: { from: ['offline'], to: 'online' } },
})
export const productTones = { online: 'good', offline: 'idle' } as const

/** A merchant's addition that was offered to the platform's library. */
export const reviewState = stateTable({
  initial: 'pending',
  states: ['pending', 'checked', 'ignored'],
  moves: {
    approve: { from: ['pending'], to: 'checked' },
    ignore: { from: ['pending'], to: 'ignored' },
    offerAgain: { from: ['ignored'], to: 'pending' },
  },
})

/** As a reviewer sees it: one without a picture can't be approved yet. */
export const reviewShown = stateNames(['pending_with_picture', 'pending_without_picture', 'checked', 'ignored'])
