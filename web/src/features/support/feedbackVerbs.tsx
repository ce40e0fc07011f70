import {
  answerFeedback,
  assignFeedback,
  classifyFeedback,
  featureFeedback,
  feedbackFields,
  feedbackState,
  feedbackWork,
  getFeedback,
  listFeedback,
  listHelpers,
  removeFeedback,
  reopenFeedback,
  restoreFeedback,
  solveFeedback,
  summariseFeedback,
  takeFeedback,
  unfeatureFeedback,
} from '@aisle/contract/support/feedback'
import { listFeedbackSolutions } from '@aisle/contract/support/solution'
import { useMemo } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { refInput } from '../../admin/form/refInput'
import { useText } from '../../ui/text'
import { answerInputIn } from './answerInput'
import type { FeedbackDetail } from './feedbackDrawer'

const HelperInput = refInput({
  list: listHelpers,
  optionOf: ({ id, name, account, merchantName }) => ({ value: id, word: name, note: `${account} · ${merchantName}` }),
})
const changes = [listFeedback, getFeedback, summariseFeedback, listHelpers] as const

/** What is next stands first; what has no sense now is not asked for. */
export function FeedbackVerbs({ feedback }: { feedback: FeedbackDetail }) {
  const t = useText('support')
  const { id, work, state, seen } = feedback
  const Answer = useMemo(() => answerInputIn(seen.language), [seen.language])
  const words = { inputs: { body: Answer } }
  const common = { t, target: { id }, vars: { id }, changes }
  if (feedbackWork.is(work, 'gone')) {
    return <CommandButton {...common} endpoint={restoreFeedback} verb="restoreFeedback" tone="main" />
  }
  const isOpen = feedbackWork.is(work, 'unsolved')
  const mark = feedbackState.is(state, 'essence') ? unfeatureFeedback : featureFeedback
  return (
    <>
      {isOpen && (
        <>
          <CommandButton {...common} {...words} endpoint={answerFeedback} verb="answerFeedback" tone="main" />
          <CommandButton {...common} {...words} endpoint={solveFeedback} verb="solveFeedback" />
          <CommandButton
            {...common}
            endpoint={takeFeedback}
            verb="takeFeedback"
            isEnabled={feedback.assigneeId === null}
          />
          <CommandButton
            {...common}
            endpoint={assignFeedback}
            verb="assignFeedback"
            inputs={{ assigneeId: HelperInput }}
          />
        </>
      )}
      {!isOpen && (
        <>
          <CommandButton
            {...common}
            endpoint={mark}
            verb={mark === featureFeedback ? 'featureFeedback' : 'unfeatureFeedback'}
          />
          <CommandButton {...common} {...words} endpoint={reopenFeedback} verb="reopenFeedback" />
        </>
      )}
      <CommandButton
        {...common}
        endpoint={classifyFeedback}
        verb="classifyFeedback"
        fields={{ kind: feedbackFields.kind, fault: feedbackFields.fault }}
        initial={{ kind: feedback.kind, fault: feedback.fault }}
        changes={[...changes, listFeedbackSolutions]}
      />
      <CommandButton {...common} endpoint={removeFeedback} verb="removeFeedback" tone="danger" />
    </>
  )
}
