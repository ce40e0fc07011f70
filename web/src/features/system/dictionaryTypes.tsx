import {
  addDictionaryType,
  removeDictionaryType,
  type DictionaryType,
  dictionaryType,
  editDictionaryType,
  listDictionaryItems,
  listDictionaryTypes,
} from '@aisle/contract/system/dictionary'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useSession } from '../../live/session'
import { useLanguage, useText } from '../../ui/text'
import styles from './settings.module.css'

/** The lists themselves, as ways to filter; the platform may change the one that is chosen. */
export function DictionaryTypes({ address, isForMerchants }: { address: ListAddress; isForMerchants: boolean }) {
  const t = useText('system')
  const wordOf = useWordOf()
  const isPlatform = useSession()?.info?.kind === 'platform_admin'
  const asked = isForMerchants ? { forMerchants: 'true' as const } : {}
  const types = useEndpoint(listDictionaryTypes, asked).data?.items ?? []
  const chosen = types.find(({ code }) => code === address.query.type)
  return (
    <div className={styles.dictionaryTypes} role="group" aria-label={t('dictionary.types')}>
      <Chip word={t('preset.all')} isOn={!chosen} onPick={() => address.change({ type: undefined })} />
      {types.map((type) => (
        <Chip
          key={type.id}
          word={wordOf(type)}
          count={isForMerchants ? undefined : type.itemCount}
          hint={type.remark}
          isOn={type === chosen}
          onPick={() => address.change({ type: type.code })}
        />
      ))}
      {isPlatform && !isForMerchants && (
        <>
          <CommandButton
            endpoint={addDictionaryType}
            verb="addDictionaryType"
            t={t}
            fields={dictionaryType.fields}
            initial={{ allowsMerchants: false, sort: 0 }}
            changes={[listDictionaryTypes]}
          />
          {chosen && <TypeVerbs key={chosen.id} type={chosen} />}
        </>
      )}
    </div>
  )
}

function TypeVerbs({ type }: { type: DictionaryType }) {
  const t = useText('system')
  const { id, version, code: _, itemCount, isSystem, ...initial } = type
  const wordOf = useWordOf()
  const vars = { name: wordOf(type) }
  return (
    <>
      <CommandButton
        endpoint={editDictionaryType}
        verb="editDictionaryType"
        target={{ id, version }}
        vars={vars}
        t={t}
        fields={dictionaryType.fields}
        initial={initial}
        changes={[listDictionaryTypes, listDictionaryItems]}
      />
      <CommandButton
        endpoint={removeDictionaryType}
        verb="removeDictionaryType"
        target={{ id }}
        vars={vars}
        t={t}
        tone="danger"
        isEnabled={!isSystem && itemCount === 0}
        changes={[listDictionaryTypes]}
      />
    </>
  )
}

function Chip(props: { word: string; count?: number | undefined; hint?: string; isOn: boolean; onPick: () => void }) {
  const { word, count, hint, isOn, onPick } = props
  return (
    <button
      type="button"
      className={styles.dictionaryChip}
      aria-pressed={isOn}
      data-hint={hint || undefined}
      onClick={onPick}
    >
      {word}
      {count !== undefined && <small>{countText(count)}</small>}
    </button>
  )
}

/** In the language of the moment; Chinese where it has none. */
export function useWordOf(): (words: { zh: string; en: string; fr: string; ko: string }) => string {
  const language = useLanguage()
  return (words) => words[language] || words.zh
}
