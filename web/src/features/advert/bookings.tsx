import { bookingFields, getBooking, listBookings } from '@aisle/contract/advert/booking'
import { listPage } from '../../admin/listPage'
import { BookingDrawer } from './bookingDrawer'
import { AddBooking } from './bookingVerbs'

/** What runs and what stands in its way comes first; how much of it was proved stands beside what was booked. */
export const Bookings = listPage({
  screen: 'gggl/cgggl',
  part: 'bookings',
  list: listBookings,
  fields: bookingFields,
  words: 'advert',
  columns: [
    'name',
    'advertiser',
    'state',
    'problems',
    'startsOn',
    'endsOn',
    'machines',
    'provenPlays',
    'bookedPlays',
    'priceFen',
    'priceKind',
    'playsPerHour',
    'fromHour',
    'toHour',
    'priority',
    'contractNo',
    'merchantName',
    'createdBy',
    'createdAt',
  ],
  hidden: ['playsPerHour', 'fromHour', 'toHour', 'priority', 'contractNo', 'merchantName', 'createdBy', 'createdAt'],
  sortable: { createdAt: 'newest', startsOn: 'starts' },
  filters: ['q', 'state'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'running', query: () => ({ state: 'running' }) }],
  actions: AddBooking,
  drawer: BookingDrawer,
  live: { topic: 'commands', also: [getBooking] as const },
})
