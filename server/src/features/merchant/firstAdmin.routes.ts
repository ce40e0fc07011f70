import { createFirstAdmin, getFirstAdminParam } from '@aisle/contract/identity/firstAdmin'
import { open, type Route } from '../../kernel/route'
import { giveFirstAdminParam, makeFirstAdmin } from './firstAdmin.commands'

export const routes: Route[] = [open(getFirstAdminParam, giveFirstAdminParam), open(createFirstAdmin, makeFirstAdmin)]
