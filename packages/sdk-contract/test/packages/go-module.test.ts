import path from 'node:path';
import { fileFixture } from '@uprez/testing/fixtures';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { expect, it } from 'vitest';
import { openInstallFolder } from '../support/install-folder.ts';
import { openJobServer } from '../support/open-job-server.ts';
import { runIn } from '../support/sdks.ts';

const usage = `package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/uprez/uprez-go"
)

func main() {
	ctx := context.Background()
	client, err := uprez.New("key", os.Getenv("URL"))
	if err != nil {
		log.Fatal(err)
	}
	job, err := client.Process(ctx, uprez.Bytes("a.png", []byte("image")), &uprez.Options{Scale: 2})
	if err != nil {
		log.Fatal(err)
	}
	stream, err := job.Open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	streamed, err := io.ReadAll(stream)
	if err != nil {
		log.Fatal(err)
	}
	data, err := job.Result(ctx)
	fmt.Println(string(data), string(streamed), err)
}
`;

const server = fileFixture(openJobServer);
const folder = fileFixture(openInstallFolder);

it.skipIf(isLeftOut('go'))(
  'builds in another module, and runs',
  async () => {
    await folder.copy('go');
    const name = 'github.com/uprez/uprez-go';
    const module = `module example.com/other\n\ngo 1.19\n\nrequire ${name} v0.1.0\n\nreplace ${name} => ../package\n`;
    await folder.write({ 'other/go.mod': module, 'other/main.go': usage });
    const cwd = path.join(folder.root, 'other');
    await runIn('go', ['go', 'vet', './...'], { cwd });
    await runIn('go', ['go', 'build', '-o', 'other', '.'], { cwd });
    expect(await runIn('go', ['./other'], { cwd, env: { URL: server.url } })).toBe('image image <nil>\n');
  },
  120_000,
);
