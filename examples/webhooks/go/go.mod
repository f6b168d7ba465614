module example.com/receiver

go 1.19

require github.com/uprez/uprez-go v0.0.0

replace github.com/uprez/uprez-go => ../../../packages/sdk-go
