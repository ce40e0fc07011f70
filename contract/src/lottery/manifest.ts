import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as claimCalls from './claim'
import * as playCalls from './play'
import * as codeCalls from './prizeCode'
import * as statisticsCalls from './statistics'

export const lottery: Manifest = {
  endpoints: endpointsIn([claimCalls, playCalls, codeCalls, statisticsCalls]),
  exports: [
    exportable(playCalls.listPlays, playCalls.playFields, 'lottery', 'jygl/hgxq'),
    exportable(statisticsCalls.listWins, statisticsCalls.winFields, 'lottery', 'jygl/zjtj'),
    exportable(claimCalls.listClaims, claimCalls.claimFields, 'lottery', 'jygl/hgsh'),
    exportable(codeCalls.listRedemptions, codeCalls.redemptionFields, 'lottery', 'yxch/djyz'),
  ],
}
