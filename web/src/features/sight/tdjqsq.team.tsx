import { listTeamGrantees } from '@aisle/contract/sight/authorisation'
import { grantPage } from './grantPage'
import { TeamChooser, useTeamTarget } from './teamChooser'

/** For a merchant's administrator, whenever somebody joins or a route changes hands: which machines are whose work. */
export default grantPage({
  screen: 'shgl/tdjqsq',
  tree: listTeamGrantees,
  Chooser: TeamChooser,
  useTarget: useTeamTarget,
})
