import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const swaggerUi = (file: string) => readFile(require.resolve(`swagger-ui-dist/${file}`), 'utf8');

/** One HTML file with everything in it. The page loads nothing from other hosts, and its policy forbids that. */
export async function docsPage(): Promise<string> {
  const styles = await swaggerUi('swagger-ui.css');
  const scripts = [inlineSafe(await swaggerUi('swagger-ui-bundle.js')), start];
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map((script) => `'sha256-${sha256(script)}'`).join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Post-purchase API</title>
<link rel="icon" href="data:,">
<style>${styles}
body { margin: 0; background: #fff; }</style>
</head>
<body>
<main id="docs"></main>
<noscript>This page needs JavaScript. The description itself is at <a href="v1/openapi.json">/v1/openapi.json</a>.</noscript>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;
}

const start = `
window.ui = SwaggerUIBundle({
  url: 'v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null
});
`;

/** A closing tag inside the script would end the script element. */
const inlineSafe = (script: string) => script.replaceAll('</script', '<\\/script');

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');
