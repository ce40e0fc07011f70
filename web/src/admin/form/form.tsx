import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type SubmitEvent, useRef } from 'react'
import { useText } from '../../ui/text'
import { useFocusFault } from './focus'
import { FormBody } from './formBody'
import { useLeaveGuard } from './leave'
import { type FormSpec, useForm, type WriteEndpoint } from './useForm'
import type { Values } from './schema'
import styles from './form.module.css'

/** A form that stands in a page: its fields, and a bar that saves once something has been changed. */
export function Form<E extends WriteEndpoint>(props: {
  spec: FormSpec<E>
  /** On the button; null where nothing may be saved. */
  save: string | null
  onSaved: (output: OutputOf<E>, values: Values) => unknown
}) {
  const { spec, save, onSaved } = props
  const kit = useText('admin')
  const holder = useRef<HTMLFormElement>(null)
  const form = useForm(spec, onSaved)
  useLeaveGuard(form.isDirty, form.isDone)
  const failed = useFocusFault(holder, form.failure)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!form.submit()) failed()
  }
  return (
    <form ref={holder} data-part="form" className={styles.form} onSubmit={submit} noValidate aria-busy={form.isPending}>
      <FormBody spec={spec} form={form} />
      {save !== null && (
        <div className={styles.bar}>
          <span className="quiet" role="status">
            {form.isDirty ? kit('form.unsaved') : !form.isPending && kit('form.untouched')}
          </span>
          <button type="submit" className="btn btn-main" disabled={form.isPending || !form.isDirty}>
            {save}
          </button>
        </div>
      )}
    </form>
  )
}
