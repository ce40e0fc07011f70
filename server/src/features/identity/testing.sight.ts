import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  fields: {
    'identity.endOwnSession.id': null,
    // Not of a row of ours, or of any.
    clientId: null,
  },
  platformsAlone: {
    'identity.getSsoProvider': 'request.notPermitted',
    'identity.saveSsoProvider': 'request.notPermitted',
  },
  nothingThere: ['identity.endOwnSession'],
}
