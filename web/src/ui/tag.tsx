import styles from './tag.module.css'
import { classes } from './classes'

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'idle'

/** A state is a word on a colour, never a colour alone; `hint` explains it on hover. */
export function Tag({ tone, word, hint }: { tone: Tone; word: string; hint?: string }) {
  return (
    <span data-part="tag" className={classes(styles.tag, styles[tone])} data-hint={hint}>
      {word}
    </span>
  )
}

export function Tags({ tags }: { tags: readonly { key: string; tone: Tone; word: string; hint?: string }[] }) {
  return (
    <span className="tags">
      {tags.map(({ key, ...tag }) => (
        <Tag key={key} {...tag} />
      ))}
    </span>
  )
}
