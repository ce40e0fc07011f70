import { MOST_SLOTS } from '@aisle/contract/fleet/layout'
import {
  addSlots,
  cancelNextPlan,
  getPlanogram,
  type Planogram,
  type PlanSlot,
  removeSlots,
} from '@aisle/contract/planogram/slot'
import { CommandButton } from '../../admin/commandButton'
import { refetch, useCommand } from '../../live/query'
import { can } from '../../live/session'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'

/** One more slot at the first free place of the layer. */
export function AddSlotButton({ id, layer, count }: { id: number; layer: number; count: number }) {
  const t = useText('planogram')
  const command = useCommand(addSlots, {
    onSuccess: async ({ codes }) => {
      toast('good', t('verb.addSlots.done', { codes: codes.join(' ') }))
      await refetch(getPlanogram)
    },
  })
  if (!can(addSlots.access)) return null
  const isFull = count >= MOST_SLOTS
  return (
    <button
      type="button"
      className="btn-plain"
      aria-disabled={isFull || command.isPending}
      data-hint={isFull ? t('layer.full') : undefined}
      onClick={() => !isFull && !command.isPending && command.mutate({ id, layer, count: 1 })}
    >
      {t('layer.add', { layer })}
    </button>
  )
}

/** What is done with the picked slots at once, beside changing their plan. */
export function PickedVerbs(props: { plan: Planogram; slots: readonly PlanSlot[]; onDone: () => void }) {
  const { plan, slots, onDone } = props
  const t = useText('planogram')
  const codes = slots.map(({ code }) => code)
  const waiting = slots.filter(({ next }) => next !== null).map(({ code }) => code)
  const target = { id: plan.id, codes }
  return (
    <>
      {waiting.length > 0 && (
        <CommandButton
          endpoint={cancelNextPlan}
          verb="cancelNext"
          t={t}
          target={{ id: plan.id, codes: waiting }}
          vars={{ slots: waiting.join(' ') }}
          changes={[getPlanogram]}
        />
      )}
      <CommandButton
        endpoint={removeSlots}
        verb="removeSlots"
        t={t}
        target={target}
        vars={{ slots: codes.join(' '), count: codes.length }}
        tone="danger"
        isEnabled={slots.every(({ stock }) => stock <= 0) && codes.length < plan.slots.length}
        changes={[getPlanogram]}
        onDone={({ removed }) => {
          toast('good', t('verb.removeSlots.done', { count: removed }))
          onDone()
        }}
      />
    </>
  )
}
