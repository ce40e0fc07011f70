import { onLoginSSO } from '@aisle/contract/identity/session'
import {
  createTicket,
  getEntrance,
  getSsoProvider,
  listOtherSystems,
  saveSsoProvider,
  startSSO,
} from '@aisle/contract/identity/sso'
import { command, open, query, type Route } from '../../../kernel/route'
import { finishJourney, startJourney } from './sso.commands'
import * as ssoStore from './sso.store'
import * as providerCommands from './ssoProvider.commands'
import { issue, redeem, systems } from '../ticket/ticket.commands'

export const routes: Route[] = [
  open(getEntrance, async ({ db }) => {
    const provider = await ssoStore.find(db)
    return { ssoName: provider?.isEnabled ? provider.name : null }
  }),
  open(startSSO, startJourney),
  open(onLoginSSO, (ctx, input) => (input.ticket ? redeem(ctx, input) : finishJourney(ctx, input))),
  query(createTicket, issue),
  query(listOtherSystems, systems),
  query(getSsoProvider, providerCommands.show),
  command(saveSsoProvider, providerCommands.save),
]
