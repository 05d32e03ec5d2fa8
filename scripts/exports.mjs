/** The source of each package entry, and the page of the docs that `scripts/reference.mjs` writes its names to. */
export const ENTRIES = {
  'foyer-webchat': { page: 'options.md', source: 'src/embed/index.ts' },
  'foyer-webchat/element': { page: 'options.md', source: 'src/embed/element/index.ts' },
  'foyer-webchat/react': { page: 'options.md', source: 'src/embed/react/index.ts' },
  'foyer-webchat/chat': { page: 'create-chat.md', source: 'src/chat/index.ts' },
  'foyer-webchat/protocol': { page: 'wire.md', source: 'src/protocol/package.ts' },
  'foyer-server': { page: 'create-runtime.md', source: 'src/cli/package.ts' },
  'foyer-server/runtime': { page: 'create-runtime.md', source: 'src/runtime/package.ts' },
  'foyer-server/bff': { page: 'create-bff.md', source: 'src/bff/index.ts' },
  'foyer-server/client': { page: 'create-client.md', source: 'src/client/package.ts' },
  'foyer-server/agents': { page: 'agents.md', source: 'src/agents/package.ts' },
  'foyer-server/carriers': { page: 'carriers.md', source: 'src/carriers/index.ts' },
}
