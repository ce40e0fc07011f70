// Kept to words that old versions of Node read too, so that they come as far as this message.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isNewEnough = major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19)

if (!isNewEnough) {
  console.error(`Node ${process.versions.node} does not do: 20.19 or newer, 22.13 or newer, or 24 and up is needed.`)
  process.exit(1)
}
