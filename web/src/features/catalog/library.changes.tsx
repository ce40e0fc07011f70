import { type LibraryChange, listLibraryChanges, takeLibraryChange } from '@aisle/contract/catalog/library'
import { getProduct, listProducts } from '@aisle/contract/catalog/product'
import { use } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { ScreenLink } from '../../admin/fields/ref'
import { PartsContext } from '../../admin/parts'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { classes } from '../../ui/classes'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { Picture } from '../../ui/picture'
import { useText } from '../../ui/text'
import { offeredChoice } from './library.inputs'
import styles from './library.module.css'

const AT_ONCE = 50

/** For merchandisers, now and then: what the library has bettered of one's copies; decided, the next come up. */
export function LibraryChanges() {
  const t = useText('catalog')
  const title = useText('screens')('spgl/ptspk')
  const found = useEndpoint(listLibraryChanges, { pageSize: AT_ONCE }, { errors: 'throw' })
  useLive({ kinds: ['libraryItem', 'product'], also: [] }, [listLibraryChanges])
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {use(PartsContext)}
      {found.error && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {found.data?.items.length === 0 && (
        <section className="list-card">
          <Empty icon="review" title={t('library.noChanges')} text={t('library.noChanges.hint')} />
        </section>
      )}
      {found.data?.items.map((change) => (
        <ChangeCard key={change.id} change={change} />
      ))}
      <Hints />
    </div>
  )
}

function ChangeCard({ change: { id, code, name, merchantName, itemVersion, changes } }: { change: LibraryChange }) {
  const t = useText('catalog')
  const offered = changes.map(({ field }) => field)
  return (
    <section className={classes('list-card', styles.card)} aria-label={`${code} ${name}`}>
      <h2>
        <ScreenLink screen="spgl/wdsp" search={{ code }}>
          {code}
        </ScreenLink>{' '}
        {name} <small className="quiet">{merchantName}</small>
      </h2>
      <table>
        <thead>
          <tr>
            <th>{t('library.field')}</th>
            <th>{t('library.mine')}</th>
            <th>{t('library.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, mine, library }) => (
            <tr key={field}>
              <th>{t(`field.${field}`)}</th>
              <td>{shownValue(field, mine)}</td>
              <td>{shownValue(field, library)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <CommandButton
        endpoint={takeLibraryChange}
        verb="takeLibraryChange"
        t={t}
        tone="main"
        target={{ id, itemVersion }}
        vars={{ name }}
        inputs={{ fields: offeredChoice(offered) }}
        initial={{ fields: offered }}
        changes={[listLibraryChanges, listProducts, getProduct]}
      />
    </section>
  )
}

type Value = LibraryChange['changes'][number]['mine']

function shownValue(field: string, value: Value) {
  if (field === 'picture') return <Picture src={typeof value === 'string' ? value : null} />
  if (Array.isArray(value)) return value.map((each) => <Picture key={each} src={each} />)
  return value || '–'
}
