import { type Manifest, endpointsIn } from '../kernel/manifest'
import * as agreementCalls from './agreement'
import * as dictionaryCalls from './dictionary'
import * as homeCalls from './home'
import * as languageEntryCalls from './languageEntry'
import * as pictureCalls from './picture'
import * as searchCalls from './search'
import * as settingCalls from './setting'

export const system: Manifest = {
  endpoints: endpointsIn([
    agreementCalls,
    dictionaryCalls,
    homeCalls,
    languageEntryCalls,
    pictureCalls,
    searchCalls,
    settingCalls,
  ]),
}
