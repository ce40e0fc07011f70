import { listBookings } from '@aisle/contract/advert/booking'
import { listCreatives } from '@aisle/contract/advert/creative'
import { listProof } from '@aisle/contract/advert/proof'
import { partsPage } from '../../shelf/partsPage'
import { Bookings } from './bookings'
import { Creatives } from './creatives'
import { ProofOfPlay } from './proof'

/** For who sells an operator's screens, some times a week: what is booked, what it shows, what was played of it. */
export default partsPage({
  screen: 'gggl/cgggl',
  words: 'advert',
  parts: [
    { key: 'bookings', access: listBookings.access, page: Bookings },
    { key: 'creatives', access: listCreatives.access, page: Creatives },
    { key: 'proof', access: listProof.access, page: ProofOfPlay },
  ],
})
