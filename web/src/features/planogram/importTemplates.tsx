import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { importTemplates, listParentTemplates, listTemplates } from '@aisle/contract/planogram/template'
import { useId, useState } from 'react'
import { Failure } from '../../admin/failure'
import { Fault } from '../../admin/form/fault'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { useSession } from '../../live/session'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { useText } from '../../ui/text'
import styles from './apply.module.css'

/** Templates of the merchant above; of a name that is taken none, and which those were is said. */
export function ImportTemplates({ onClose }: { onClose: () => void }) {
  const t = useText('planogram')
  const id = useId()
  const own = useSession()?.info?.merchant.id ?? 0
  const merchants = useEndpoint(listMerchants, {}, { errors: 'silent' }).data?.items ?? []
  const below = merchants.filter(({ parentId }) => parentId !== null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const merchantId = chosen ?? below.find((each) => each.id === own)?.id ?? below[0]?.id ?? own
  const found = useEndpoint(listParentTemplates, { id: merchantId }, { errors: 'throw', enabled: merchantId > 0 })
  const command = useCommand(importTemplates, { errors: 'throw', onSuccess: () => refetch(listTemplates) })
  const items = found.data?.items ?? []
  const wanted = items.filter((each) => !left.has(each.id))
  const { data: done } = command
  const send = () => {
    if (wanted.length > 0 && !command.isPending)
      command.mutate({ id: merchantId, templateIds: wanted.map((each) => each.id) })
  }
  return (
    <Dialog
      title={t('import')}
      onSubmit={done ? onClose : send}
      onCancel={onClose}
      actions={
        <DialogButtons
          onCancel={onClose}
          send={t('import.take', { count: wanted.length })}
          isReady={wanted.length > 0 && !command.isPending}
          isOver={done !== null}
        />
      }
    >
      {done && <Done {...done} />}
      {!done && below.length > 1 && (
        <div className="field">
          <label htmlFor={id} className="field-label">
            {t('import.for')}
          </label>
          <select id={id} value={merchantId} onChange={({ target }) => setChosen(Number(target.value))}>
            {below.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </select>
        </div>
      )}
      {!done && found.error && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {!done && found.data && items.length === 0 && (
        <p className="quiet">{t('import.none', { name: found.data.parentName ?? '–' })}</p>
      )}
      {!done && items.length > 0 && (
        <>
          <p className="quiet">{t('import.about', { name: found.data?.parentName ?? '' })}</p>
          <Offers items={items} left={left} onChange={setLeft} />
        </>
      )}
      {command.error && <Fault failure={command.error} loose={command.error.fields} />}
    </Dialog>
  )
}

function Done({ imported, skipped }: OutputOf<typeof importTemplates>) {
  const t = useText('planogram')
  return (
    <div role="status">
      <p>{t('import.done', { count: imported.length, names: imported.join(' · ') || '–' })}</p>
      {skipped.length > 0 && (
        <p className="tone-warn">{t('import.skipped', { count: skipped.length, names: skipped.join(' · ') })}</p>
      )}
    </div>
  )
}

function Offers(props: {
  items: OutputOf<typeof listParentTemplates>['items']
  left: ReadonlySet<number>
  onChange: (left: ReadonlySet<number>) => void
}) {
  const { items, left, onChange } = props
  const t = useText('planogram')
  const toggle = (id: number) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <ul className={styles.importTemplates} tabIndex={0} aria-label={t('import')}>
      {items.map(({ id, name, slotCount, isTaken }) => (
        <li key={id}>
          <label>
            <input type="checkbox" checked={!left.has(id)} onChange={() => toggle(id)} />
            <span>
              {name} <small className="quiet">{t('import.slots', { count: slotCount })}</small>
              {isTaken && <small className="tone-warn"> {t('import.taken')}</small>}
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
