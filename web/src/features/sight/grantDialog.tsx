import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import {
  grantCalls,
  grantToMerchant,
  type MachineSelection,
  revokeFromMerchant,
} from '@aisle/contract/sight/authorisation'
import { useId, useState } from 'react'
import { countText } from '../../admin/fields/number'
import { refetch, useCommand } from '../../live/query'
import { DayInput } from '../../ui/control/dayInput'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { today } from './grantDay'
import type { Target } from './grantTarget'

type Props = {
  verb: 'grant' | 'revoke'
  target: Target
  tree: Endpoint
  machines: MachineSelection
  count: number
  onClose: () => void
  onDone: () => void
}

/** Says once what will happen to how many. When the number has changed since, the dialog shows the new one. */
export function GrantDialog({ verb, target, tree, machines, count, onClose, onDone }: Props) {
  const t = useText('sight')
  const [untilDay, setUntilDay] = useState('')
  const { list, history, grant, revoke } = grantCalls[target.kind]
  const options = {
    errors: 'throw' as const,
    onSuccess: async ({ changed }: { changed: number }) => {
      toast('good', t(`verb.${verb}.done`, { count: countText(changed), name: target.name }))
      onDone()
      await refetch(list, history, tree)
    },
  }
  const granting = useCommand(grant as typeof grantToMerchant, options)
  const revoking = useCommand(revoke as typeof revokeFromMerchant, options)
  const { isPending, error } = verb === 'grant' ? granting : revoking
  const send = () => {
    if (isPending) return
    const failed = { onError: () => void refetch(list) }
    if (verb === 'revoke') revoking.mutate({ id: target.id, machines }, failed)
    else granting.mutate({ id: target.id, machines, untilDay: untilDay || null }, failed)
  }
  return (
    <Dialog
      title={t(`verb.${verb}`)}
      onSubmit={send}
      onCancel={onClose}
      actions={
        <DialogButtons
          onCancel={onClose}
          send={t(`verb.${verb}`)}
          tone={verb === 'grant' ? 'main' : 'danger'}
          isBusy={isPending}
        />
      }
    >
      <p>{t(`verb.${verb}.ask.${target.kind}`, { count: countText(count), name: target.name })}</p>
      {verb === 'grant' && <Until value={untilDay} onChange={setUntilDay} />}
      {error && (
        <p className="fault" role="alert">
          {error.message}
        </p>
      )}
    </Dialog>
  )
}

function Until({ value, onChange }: { value: string; onChange: (day: string) => void }) {
  const t = useText('sight')
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t('field.untilDay')}</label>
      <DayInput
        id={id}
        value={value}
        min={today()}
        aria-describedby={`${id}-hint`}
        onChange={onChange}
        onWrong={onChange}
      />
      <span id={`${id}-hint`} className="field-rule">
        {t('hint.untilDay')}
      </span>
    </div>
  )
}
