import {
  acceptIntoTemplate,
  acceptRecommendation,
  getRecommendation,
  ignoreRecommendation,
  listRecommendations,
  type RecommendationDetail,
  recommendationFields,
  recommendationState,
} from '@aisle/contract/advice/recommendation'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { RecommendationBody } from './recommendationBody'

type Props = { one: RecommendationDetail }

export const titleOf = ({ machineName, slotCode }: RecommendationDetail) => `${machineName} · ${slotCode}`

export function RecommendationDrawer({ id }: DrawerRow) {
  const title = useText('screens')('yxch/sptjxq')
  const result = useEndpoint(getRecommendation, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={titleOf}
      head={(one) => (
        <>
          <RecommendationTags one={one} />
          <ScreenLink screen="yxch/sptjxq" search={{ id: String(id) }}>
            {title}
          </ScreenLink>
        </>
      )}
      actions={(one) => <RecommendationVerbs one={one} />}
    >
      {(one) => <RecommendationBody one={one} />}
    </RowDrawer>
  )
}

export function RecommendationTags({ one: { kind, state, certainty } }: Props) {
  const t = useText('advice')
  return (
    <div className="tags">
      <StateCell value={state} field={recommendationFields.state} t={t} />
      <StateCell value={kind} field={recommendationFields.kind} t={t} />
      <StateCell value={certainty} field={recommendationFields.certainty} t={t} />
    </div>
  )
}

const fields = {
  when: { kind: 'state', words: 'when', tones: {} },
  reason: { kind: 'longText' },
} as const

/** What nothing comes for is taken out at once: nobody can be asked to fill it in. */
export function RecommendationVerbs({ one }: Props) {
  const t = useText('advice')
  const { id, state, slotCode, machineName, incomingName, outgoingName, template } = one
  const nothing = t('recommendation.nothing')
  const common = {
    t,
    fields,
    target: { id },
    vars: {
      machine: machineName,
      slot: slotCode,
      incoming: incomingName ?? nothing,
      outgoing: outgoingName ?? nothing,
    },
    changes: [listRecommendations, getRecommendation] as const,
  }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={acceptRecommendation}
        verb={incomingName === null ? 'acceptRemoval' : 'acceptRecommendation'}
        tone="main"
        target={incomingName === null ? { id, when: 'now' } : { id }}
        initial={{ when: 'nextService' }}
        isEnabled={recommendationState.can(state, 'accept')}
      />
      {template && (
        <CommandButton
          {...common}
          vars={{ ...common.vars, template: template.name, machines: countText(template.machines) }}
          endpoint={acceptIntoTemplate}
          verb="acceptIntoTemplate"
          isEnabled={recommendationState.can(state, 'accept')}
        />
      )}
      <CommandButton
        {...common}
        endpoint={ignoreRecommendation}
        verb="ignoreRecommendation"
        isEnabled={recommendationState.can(state, 'ignore')}
      />
    </>
  )
}
