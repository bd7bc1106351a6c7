import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './drizzle/identity/schema.ts',
  out: './drizzle/identity/migrations',
})
