import { addMessageType, listMessageTypes } from '@aisle/contract/notice/messageType'
import { useState } from 'react'
import { refetch, useCommand } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { EditDialog } from './editDialog'
import { faultsIn, faultsOf } from './faults'
import { TextField } from './formParts'
import { noWords, TypeForm } from './typeForm'

/** A type of the platform's own: its code is given once, everything else may change later. */
export function TypeDialog({ onClose }: { onClose: () => void }) {
  const t = useText('notice')
  const kernel = useText('kernel')
  const [code, setCode] = useState('notice.')
  const [words, setWords] = useState(noWords)
  const [isTried, setTried] = useState(false)
  const command = useCommand(addMessageType, {
    errors: 'throw',
    onSuccess: async () => {
      toast('good', t('type.added', { code }))
      onClose()
      await refetch(listMessageTypes)
    },
  })
  const asked = { code, ...words }
  const own = isTried ? faultsOf(addMessageType, asked, t, kernel) : {}
  const faults = { ...faultsIn(command.error), ...own }
  const send = () => {
    setTried(true)
    if (addMessageType.input.safeParse(asked).success && !command.isPending) command.mutate(asked)
  }
  return (
    <EditDialog
      title={t('action.addType')}
      failure={command.error}
      isPending={command.isPending}
      onSave={send}
      onClose={onClose}
    >
      <TextField label={t('field.code')} rule={t('rule.code')} fault={faults.code} value={code} onChange={setCode} />
      <TypeForm
        words={words}
        change={(part) => setWords({ ...words, ...part })}
        faults={faults}
        isSystem={false}
        isRequired={false}
      />
    </EditDialog>
  )
}
