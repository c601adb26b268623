#!/bin/sh
npm run typecheck --workspace=$WORKSPACE
