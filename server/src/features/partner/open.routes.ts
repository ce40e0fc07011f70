import { shipmentRequest, slotsQuery } from '@aisle/contract/partner/open'
import type { RawRoute } from '../../kernel/rawRoute'
import { existing, refuse } from '../../kernel/refuse'
import { bodyOf, queryOf, signed } from '../events/public'
import { findShipment, slotsPage } from './open.reads'
import { acceptShipment } from './shipment.commands'

const shipping = ['ship_request'] as const

/** What is asked of machines over the signed API; described, with a program that runs, in docs/PARTNERS.md. */
export const rawRoutes: readonly RawRoute[] = [
  {
    method: 'POST',
    path: '/open/v1/shipments',
    run: signed(shipping, (services, caller, call) =>
      acceptShipment(services, caller, { ...call, asked: bodyOf(shipmentRequest, call) }),
    ),
  },
  {
    method: 'GET',
    path: '/open/v1/shipments/:requestNo',
    run: signed(shipping, async ({ db }, caller, { params }) => {
      const found = await findShipment(db, caller, params.requestNo ?? '')
      return existing(found)
    }),
  },
  {
    method: 'GET',
    path: '/open/v1/machines/:code/slots',
    run: signed(['ship_request', 'event_feed'], async ({ db }, caller, call) => {
      const code = call.params.code ?? ''
      const found = await slotsPage(db, caller, code, queryOf(slotsQuery, call))
      return found ?? refuse('shipment.noMachine', { machine: code.slice(0, 40) })
    }),
  },
]
