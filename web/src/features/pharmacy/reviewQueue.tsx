import { getPrescription, listPrescriptions, type Prescription } from '@aisle/contract/pharmacy/prescription'
import { approvePrescription, rejectPrescription } from '@aisle/contract/pharmacy/review'
import { use, useEffect, useEffectEvent, useState } from 'react'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { FormDialog } from '../../admin/form/formDialog'
import { PartsContext } from '../../admin/parts'
import { useLive } from '../../admin/useList'
import { useNow } from '../../live/clock'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { ask, toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { PrescriptionBody } from './prescriptionBody'
import { type Detail, PrescriptionTags } from './prescriptionDrawer'
import { shownPrescriptions } from './prescriptionVerbs'
import styles from './queue.module.css'
import { classes } from '../../ui/classes'

const MINUTE_MS = 60_000

/** For a pharmacist with two hundred a day: the longest waiting first, the next one opens by itself. */
export function ReviewQueue() {
  const t = useText('pharmacy')
  const title = useText('screens')('jygl/cfcx')
  const queue = useEndpoint(listPrescriptions, { state: 'submitted', sort: 'waiting', pageSize: 100 })
  const left = useEndpoint(listPrescriptions.count, { state: 'submitted' }, { errors: 'silent' }).data?.total
  useLive({ kinds: ['prescription'], also: [] }, [listPrescriptions])
  const [chosen, choose] = useState<number | null>(null)
  const items = queue.data?.items ?? []
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === chosen),
  )
  const current = items[at]
  const step = (by: number) => choose(items[Math.min(items.length - 1, Math.max(0, at + by))]?.id ?? null)
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
        {left !== undefined && <span className="list-total">{t('queue.left', { count: countText(left ?? 0) })}</span>}
      </header>
      {use(PartsContext)}
      {!queue.data && queue.error && <Failure failure={queue.error} retry={() => void queue.refetch()} />}
      {queue.data && !current && <Empty icon="review" title={t('queue.empty')} text={t('queue.empty.hint')} />}
      {current && (
        <div className={styles.queue}>
          <Waiting items={items} current={current.id} choose={choose} />
          <Reviewed key={current.id} id={current.id} step={step} next={() => choose(items[at + 1]?.id ?? null)} />
        </div>
      )}
      <Hints />
    </div>
  )
}

function Waiting(props: { items: readonly Prescription[]; current: number; choose: (id: number) => void }) {
  const { items, current, choose } = props
  const t = useText('pharmacy')
  const nowMs = useNow(MINUTE_MS)
  return (
    <nav className={styles.list} aria-label={t('queue.title')}>
      {items.map(({ id, patient, age, medicines, submittedAt, warningCount }) => (
        <button key={id} type="button" aria-current={id === current ? 'true' : undefined} onClick={() => choose(id)}>
          <strong>
            {patient} · {age}
          </strong>
          <span>{medicines}</span>
          <small className={warningCount > 0 ? styles.warned : ''}>
            {submittedAt &&
              t('queue.waiting', { minutes: countText(Math.floor((nowMs - Date.parse(submittedAt)) / MINUTE_MS)) })}
            {warningCount > 0 && ` · ${t('field.warningCount')} ${warningCount}`}
          </small>
        </button>
      ))}
    </nav>
  )
}

function Reviewed({ id, step, next }: { id: number; step: (by: number) => void; next: () => void }) {
  const { data, error, refetch: again } = useEndpoint(getPrescription, { id }, { errors: 'throw' })
  if (!data)
    return error ? (
      <Failure failure={error} retry={() => void again()} />
    ) : (
      <div className={classes('bone', styles.bone)} />
    )
  return <Sheet detail={data} step={step} next={next} />
}

/** A signature is asked about once, whatever pressed it; with a warning it takes a reason, as the server asks too. */
function Sheet({ detail, step, next }: { detail: Detail; step: (by: number) => void; next: () => void }) {
  const t = useText('pharmacy')
  const kernel = useText('kernel')
  const { id, code, contentHash, warnings, hindrance, patient } = detail
  const [asked, open] = useState<'approve' | 'reject' | null>(null)
  const decided = async (verb: 'approvePrescription' | 'rejectPrescription') => {
    open(null)
    toast('good', t(`verb.${verb}.done`, { code }))
    next()
    await refetch(...shownPrescriptions)
  }
  const sign = useCommand(approvePrescription, { onSuccess: () => decided('approvePrescription') })
  const isReady = hindrance === null && !sign.isPending
  const approve = async () => {
    if (!isReady) return
    if (warnings.length > 0) return open('approve')
    const question = { key: 'sign', title: t('verb.approvePrescription'), body: t('queue.sign', { code, patient }) }
    const isSure = await ask({ ...question, yes: t('queue.sign.yes'), no: kernel('action.cancel') })
    if (isSure) sign.mutate({ id, contentHash })
  }
  const reject = () => isReady && open('reject')
  useKeys({ a: approve, r: reject, j: () => step(1), k: () => step(-1) }, asked === null)
  return (
    <section className={styles.sheet} aria-label={code}>
      <header className={styles.head}>
        <h2>{code}</h2>
        <PrescriptionTags detail={detail} />
      </header>
      <div className={styles.verbs}>
        <button
          type="button"
          className="btn btn-main"
          aria-keyshortcuts="A"
          aria-disabled={!isReady}
          data-hint={hindrance ? t(`hindrance.${hindrance}`) : undefined}
          onClick={() => void approve()}
        >
          {t('verb.approvePrescription')}
        </button>
        <button type="button" className="btn" aria-keyshortcuts="R" aria-disabled={!isReady} onClick={reject}>
          {t('verb.rejectPrescription')}
        </button>
        <small>{hindrance ? t(`hindrance.${hindrance}`) : t('queue.keys')}</small>
      </div>
      <PrescriptionBody detail={detail} />
      {asked && (
        <FormDialog
          title={t(`verb.${asked}Prescription`)}
          sentence={t(`verb.${asked}Prescription.ask`, { code })}
          spec={{
            t,
            endpoint: asked === 'approve' ? approvePrescription : rejectPrescription,
            names: ['reason'],
            needed: ['reason'],
            target: { id, contentHash },
          }}
          tone={asked === 'approve' ? 'main' : 'danger'}
          onSaved={() => decided(`${asked}Prescription`)}
          onClose={() => open(null)}
        />
      )}
    </section>
  )
}

/** Letters alone, and not while somebody types or a dialog is open. */
function useKeys(keys: Record<string, () => unknown>, isOn: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey } = event
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
    if (!isOn || isTyping || ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return
    const run = keys[event.key.toLowerCase()]
    if (!run) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
