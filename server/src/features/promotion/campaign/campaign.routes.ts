import {
  addCampaign,
  editCampaign,
  endCampaign,
  getCampaign,
  listCampaigns,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  withdrawCampaign,
} from '@aisle/contract/promotion/campaign'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as commands from './campaign.commands'
import * as reads from './campaign.reads'

export const routes: Route[] = [
  ...listOf(listCampaigns, reads.listCampaignsIn),
  query(getCampaign, (ctx, { id }) => reads.detail(ctx, id)),
  command(addCampaign, commands.add),
  command(editCampaign, commands.edit),
  command(scheduleCampaign, commands.schedule),
  command(withdrawCampaign, commands.withdraw),
  command(pauseCampaign, commands.pause),
  command(resumeCampaign, commands.resume),
  command(endCampaign, commands.end),
]
