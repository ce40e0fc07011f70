import {
  addDisplayKey,
  type DisplayKey,
  displayKeyFields,
  displayKeyState,
  listDisplayKeys,
  revokeDisplayKey,
} from '@aisle/contract/wallboard/displayKey'
import { screenOf } from '@aisle/contract/screens'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { Ago } from '../../admin/fields/time'
import { MerchantInput } from '../../admin/form/refInput'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { CopyButton } from '../../ui/control/copy'
import { Dialog } from '../../ui/feedback/dialog'
import { Empty } from '../../ui/feedback/empty'
import { Tag } from '../../ui/tag'
import { KeyPager } from '../../shelf/keyPager'
import { useText } from '../../ui/text'
import styles from './settings.module.css'
import dialogStyles from '../../ui/feedback/dialog.module.css'

/** For whoever hangs a board where nobody signs in: what each key shows, how many boards use it, and its end. */
export function DisplayKeys({ merchantId }: { merchantId: number | undefined }) {
  const t = useText('wallboard')
  const kernel = useText('kernel')
  const [address, setAddress] = useState<string | null>(null)
  const [cursor, setCursor] = useState<string>()
  const found = useEndpoint(listDisplayKeys, { ...(cursor && { cursor }) }, { errors: 'silent' })
  useLive({ kinds: ['displayKey'], also: [] }, [listDisplayKeys])
  if (found.isError) return <Failure failure={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <p role="status">{kernel('loading')}</p>
  const { items } = found.data
  const add = (
    <CommandButton
      endpoint={addDisplayKey}
      verb="addDisplayKey"
      t={t}
      fields={displayKeyFields}
      names={['merchantId', 'name', 'hidesNames']}
      inputs={{ merchantId: MerchantInput }}
      initial={merchantId ? { merchantId } : {}}
      tone="main"
      changes={[listDisplayKeys]}
      onDone={({ key }) => setAddress(addressOf(key))}
    />
  )
  return (
    <section className={styles.group} aria-label={t('displayKey.title')}>
      <p className={styles.for}>{t('displayKey.about')}</p>
      {items.length === 0 ? (
        <Empty icon="lock" title={t('displayKey.empty')} text={t('displayKey.emptyHint')}>
          {add}
        </Empty>
      ) : (
        <>
          <div>{add}</div>
          <ul className={styles.agreements}>
            {items.map((each) => (
              <Key key={each.id} displayKey={each} />
            ))}
          </ul>
          <KeyPager cursor={cursor} next={found.data.nextCursor} turn={setCursor} />
        </>
      )}
      {address !== null && <AddressOnce address={address} onClose={() => setAddress(null)} />}
    </section>
  )
}

const addressOf = (key: string) => `${location.origin}${screenOf('public/databaseszd').path}?key=${key}`

function Key({ displayKey }: { displayKey: DisplayKey }) {
  const t = useText('wallboard')
  const { id, name, merchantName, hidesNames, state, boards, createdAt, createdBy, revokedAt, revokedBy } = displayKey
  const made = t('displayKey.made', { name: createdBy ?? '–' })
  return (
    <li className={styles.agreementVersion}>
      <div>
        <p className={styles.agreementTitle}>
          <Tag
            tone={displayKeyState.is(state, 'valid') ? 'good' : 'idle'}
            word={t(`displayKeyState.${state}`)}
            hint={t(`displayKeyState.${state}.help`)}
          />
          <b>{name}</b>
          <small>{merchantName}</small>
        </p>
        <p className={styles.settingSource}>
          {t(hidesNames ? 'displayKey.namesHidden' : 'displayKey.namesShown')} ·{' '}
          {t('displayKey.boards', { count: countText(boards) })} · {made} <Ago at={createdAt} />
          {revokedAt && (
            <>
              {' '}
              · {t('displayKey.ended', { name: revokedBy ?? '–' })} <Ago at={revokedAt} />
            </>
          )}
        </p>
      </div>
      <div className={styles.settingActions}>
        <CommandButton
          endpoint={revokeDisplayKey}
          verb="revokeDisplayKey"
          target={{ id }}
          vars={{ name, count: boards }}
          t={t}
          tone="danger"
          isEnabled={displayKeyState.is(state, 'valid')}
          changes={[listDisplayKeys]}
        />
      </div>
    </li>
  )
}

/** The key is told this once: it opens the board for whoever has the address. */
function AddressOnce({ address, onClose }: { address: string; onClose: () => void }) {
  const t = useText('wallboard')
  return (
    <Dialog
      title={t('displayKey.once')}
      onSubmit={onClose}
      actions={
        <button type="submit" className="btn btn-main">
          {t('displayKey.saved')}
        </button>
      }
    >
      <p>{t('displayKey.onceHint')}</p>
      <div className={dialogStyles.once}>
        <code>{address}</code>
        <CopyButton text={address} />
      </div>
    </Dialog>
  )
}
