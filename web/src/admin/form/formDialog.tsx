import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useRef } from 'react'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { cancelledWord } from './kindOfWrite'
import { useFocusFault } from './focus'
import { FormBody } from './formBody'
import { useLeaveGuard } from './leave'
import { type FormSpec, useForm, type WriteEndpoint } from './useForm'
import type { Values } from './schema'
import styles from './form.module.css'

/** More fields than this stand in two columns where there is room. */
const FEW = 5

/** Says what will happen, takes what the endpoint's schema asks for, and keeps what was typed when the call fails. */
export function FormDialog<E extends WriteEndpoint>(props: {
  title: string
  sentence?: string | undefined
  spec: FormSpec<E>
  tone?: 'main' | 'danger' | undefined
  onSaved: (output: OutputOf<E>, values: Values) => unknown
  onClose: () => void
}) {
  const { title, sentence, spec, tone = 'main', onSaved, onClose } = props
  const kit = useText('admin')
  const holder = useRef<HTMLDivElement>(null)
  const form = useForm(spec, onSaved)
  const mayLeave = useLeaveGuard(form.isDirty, form.isDone, title)
  const failed = useFocusFault(holder, form.failure)
  const cancel = async () => {
    if (!(await mayLeave())) return
    onClose()
    if (tone === 'danger') toast('info', kit(cancelledWord(spec.endpoint)))
  }
  return (
    <Dialog
      title={title}
      isWide={form.names.length > FEW}
      onSubmit={() => form.submit() || failed()}
      onCancel={() => void cancel()}
      actions={<DialogButtons onCancel={() => void cancel()} send={title} tone={tone} isBusy={form.isPending} />}
    >
      {sentence && <p>{sentence}</p>}
      <div ref={holder} className={styles.body}>
        <FormBody spec={spec} form={form} isFirstFocused />
      </div>
    </Dialog>
  )
}
